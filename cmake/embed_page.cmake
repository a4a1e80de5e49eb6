# Writes SOURCE, in which the files HTML, STYLE and SCRIPT are constants.
function(constant name file)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(APPEND ${SOURCE}
    "static const unsigned char bytesOf${name}[] = {${bytes}};\n"
    "const std::string_view k${name}(reinterpret_cast<const char*>(bytesOf${name}), ${size});\n")
endfunction()

file(WRITE ${SOURCE} "#include \"page/assets.h\"\nnamespace slaq::page {\n")
constant(Html ${HTML})
constant(Style ${STYLE})
constant(Script ${SCRIPT})
file(APPEND ${SOURCE} "}\n")
