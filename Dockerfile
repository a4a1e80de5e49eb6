# The images `controller` and `trainer` on one runtime layer, and `python` for the examples in Python. BINARIES chooses where the programs come from:
# `build` compiles the tree, `prebuilt` takes build/release/bin as it lies (compiled on the same Debian).
ARG BINARIES=build

FROM debian:bookworm-slim AS build
WORKDIR /slaq
COPY scripts/install-deps scripts/install-deps
RUN scripts/install-deps --programs
COPY . .
RUN cmake --preset programs && cmake --build --preset programs

FROM scratch AS prebuilt
COPY build/release/bin/ /slaq/build/release/bin/

FROM ${BINARIES} AS binaries

FROM debian:bookworm-slim AS runtime
COPY scripts/install-deps /tmp/install-deps
RUN /tmp/install-deps --runtime \
 && rm -rf /tmp/install-deps /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
USER 65532:65532
WORKDIR /tmp

FROM runtime AS controller
COPY --from=binaries /slaq/build/release/bin/slaq-controller /slaq/build/release/bin/slaq /usr/local/bin/
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
