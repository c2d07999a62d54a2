# Both images, for builders that have a registry:
#
#   docker buildx build --target executor-writer --platform linux/amd64,linux/arm64 \
#     --build-arg BUILD_IMAGE=node:24-bookworm-slim@sha256:… \
#     --build-arg BASE_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot@sha256:… .
#
# The two base images are pinned by digest by whoever builds; there is no default that could move. Without a registry:
# scripts/build-images.ts.
ARG BUILD_IMAGE
ARG BASE_IMAGE

FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY . .
# No script of a package runs: see .npmrc.
RUN npm ci && npm run build && find apps -name '*.map' -path '*/dist/*' -delete

FROM ${BASE_IMAGE} AS executor-writer
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="executor-writer" \
  org.opencontainers.image.description="Reports whether each Executor of Ratify builds in this pod" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=build /src/LICENSE /usr/share/licenses/executor-status
COPY --from=build /src/apps/executor-writer/package.json /src/apps/executor-writer/dist/*.js /app/
ENV HOME=/home/nonroot NODE_ENV=production MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=1", "--max-old-space-size=64", "--v8-pool-size=1", "--no-opt", "--no-maglev", "--optimize-for-size", "/app/main.js"]

FROM ${BASE_IMAGE} AS status-aggregator
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="status-aggregator" \
  org.opencontainers.image.description="Folds what all Ratify pods report into the status of each Executor" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=build /src/LICENSE /usr/share/licenses/executor-status
COPY --from=build /src/apps/status-aggregator/package.json /src/apps/status-aggregator/dist/*.js /app/
ENV HOME=/home/nonroot NODE_ENV=production MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=8", "--max-old-space-size=256", "--v8-pool-size=1", "/app/main.js"]
