# The page of web/ as C++, so that programs have it in them. esbuild joins the modules and the plotting library into one
# script; both are Debian packages.
find_program(ESBUILD esbuild REQUIRED)
find_file(CHART_JS chart.mjs PATHS /usr/share/javascript/chart.js REQUIRED NO_DEFAULT_PATH)

# slaq_page_assets(SOURCE): the source file with what src/page/assets.h declares.
function(slaq_page_assets source)
  set(web ${PROJECT_SOURCE_DIR}/web)
  file(GLOB modules CONFIGURE_DEPENDS ${web}/*.js)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/page.js)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake)
  add_custom_command(OUTPUT ${source}
    COMMAND ${ESBUILD} ${web}/main.js --bundle --minify --charset=utf8 --log-level=warning --legal-comments=inline
            --alias:chart.js=${CHART_JS} --outfile=${script}
    COMMAND ${CMAKE_COMMAND} -DHTML=${web}/index.html -DSTYLE=${web}/page.css -DSCRIPT=${script} -DSOURCE=${source}
            -P ${embed}
    DEPENDS ${modules} ${web}/index.html ${web}/page.css ${embed}
    COMMENT "Joining the page of web/"
    VERBATIM)
endfunction()
