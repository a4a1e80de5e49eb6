# The images `controller`, which holds its programs and their libraries alone, `trainer`, and `python` for the examples in
# Python. BINARIES chooses where the programs come from:
# `build` compiles the tree, `prebuilt` takes build/release/bin as it lies (compiled on the same Debian).
ARG BINARIES=build

FROM debian:bookworm-slim AS build
WORKDIR /slaq
COPY scripts/install-deps scripts/install-deps
RUN scripts/install-deps --programs
COPY . .
# The sources come without their history.
ARG REVISION=unknown
RUN cmake --preset programs -DSLAQ_REVISION="$REVISION" && cmake --build --preset programs \
 && strip build/release/bin/slaq build/release/bin/slaq-controller build/release/bin/slaq-trainer

FROM scratch AS prebuilt
COPY build/release/bin/ /slaq/build/release/bin/

FROM ${BINARIES} AS binaries

FROM debian:bookworm-slim AS runtime
COPY scripts/install-deps /tmp/install-deps
RUN /tmp/install-deps --runtime \
 && rm -rf /tmp/install-deps /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
USER 65532:65532
WORKDIR /tmp

FROM runtime AS closure
USER 0
COPY scripts/closure /tmp/
COPY --from=binaries /slaq/build/release/bin/slaq-controller /slaq/build/release/bin/slaq /tmp/bin/
RUN /tmp/closure /closure /tmp/bin/slaq-controller /tmp/bin/slaq

FROM scratch AS controller
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="slaq" \
      org.opencontainers.image.description="Quality-driven scheduling of machine-learning training" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=closure /closure /
ENV PATH=/usr/local/bin
USER 65532:65532
WORKDIR /tmp
ENTRYPOINT ["slaq-controller"]

FROM debian:bookworm-slim AS python
COPY scripts/install-deps /tmp/install-deps
RUN /tmp/install-deps --python \
 && rm -rf /tmp/install-deps /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
COPY examples/python/training_progress.py examples/python/sklearn-digits examples/python/xgboost-trees \
     examples/python/torch-elastic /usr/local/bin/
USER 65532:65532
WORKDIR /tmp

FROM runtime AS trainer
COPY --from=binaries /slaq/build/release/bin/slaq-trainer /usr/local/bin/
ENTRYPOINT ["slaq-trainer"]
