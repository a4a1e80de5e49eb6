# The images `controller`, which holds its programs and their libraries alone, `trainer`, and `python` for the examples in
# Python. BINARIES chooses where the programs come from: `build` compiles the tree, `prebuilt` takes build/release/bin as it
# lies (compiled on the same Debian). The controller for another platform than the builder's is cross-compiled; the other
# images take a builder that emulates it. Docker knows BUILDPLATFORM by itself; old versions of buildah are told by
# --build-arg BUILDPLATFORM=linux/amd64.
# scripts/images adds the labels of version and revision.
ARG BINARIES=build
ARG BUILDPLATFORM

FROM --platform=$BUILDPLATFORM debian:bookworm-slim AS debian
COPY scripts/install-deps /slaq/scripts/install-deps
WORKDIR /slaq

FROM debian AS build
ARG TARGETARCH
RUN scripts/install-deps --programs --architecture "$TARGETARCH"
COPY . .
# The sources come without their history.
ARG REVISION=unknown
RUN scripts/build-programs --architecture "$TARGETARCH" -DSLAQ_REVISION="$REVISION"

FROM scratch AS prebuilt
COPY build/release/bin/ /slaq/build/release/bin/

FROM ${BINARIES} AS binaries

FROM debian AS closure
ARG TARGETARCH
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends binutils libpcre2-dev \
 && scripts/install-deps --runtime --architecture "$TARGETARCH"
COPY scripts/closure scripts/closure
COPY --from=binaries /slaq/build/release/bin/slaq-controller /slaq/build/release/bin/slaq \
     /slaq/build/release/bin/slaq-report bin/
# PCRE2 is linked into slaq-report, and its license wants its notice to go with it, where the base image keeps notices.
RUN scripts/closure /closure bin/slaq-controller bin/slaq bin/slaq-report \
 && notice=/usr/share/doc/libpcre2-dev/copyright \
 && if [ -e "$notice" ]; then install -D -m 644 "$notice" "/closure$notice"; fi

FROM scratch AS controller
LABEL org.opencontainers.image.title="slaq" \
      org.opencontainers.image.description="Quality-driven scheduling of machine-learning training" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=closure /closure /
ENV PATH=/usr/local/bin
USER 65532:65532
WORKDIR /tmp
ENTRYPOINT ["slaq-controller"]

FROM debian:bookworm-slim AS python
COPY scripts/install-deps /tmp/install-deps
RUN /tmp/install-deps --python \
 && rm -rf /tmp/install-deps /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
COPY python/slaq /usr/local/lib/slaq/slaq
ENV PYTHONPATH=/usr/local/lib/slaq
COPY examples/python/sklearn-digits examples/python/xgboost-trees examples/python/torch-elastic /usr/local/bin/
USER 65532:65532
WORKDIR /tmp

FROM debian:bookworm-slim AS trainer
COPY scripts/install-deps /tmp/install-deps
RUN /tmp/install-deps --runtime \
 && rm -rf /tmp/install-deps /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
LABEL org.opencontainers.image.title="slaq-trainer" \
      org.opencontainers.image.description="The training programs of the examples of slaq" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=binaries /slaq/build/release/bin/slaq-trainer /usr/local/bin/
USER 65532:65532
WORKDIR /tmp
ENTRYPOINT ["slaq-trainer"]
