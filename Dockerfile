# One image for every role: the command decides (index, serve, pay, operator, migrate, doctor, …).
#   docker build --build-arg COMMIT="$(git rev-parse --short HEAD)" -t astrolabe .
#   docker run --rm astrolabe --help
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

# hadolint ignore=DL3006
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Its last step compiles the program, which is not here yet.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ARG COMMIT=
# The bundled PostgreSQL and the payment test chain are optional packages: an image takes its database from DATABASE_URL.
RUN COMMIT="${COMMIT}" npm run build \
  && npm prune --omit=dev --omit=optional --no-audit --no-fund \
  && rm -rf build/src build/test build/bench build/examples build/packages build/.tsbuildinfo

# hadolint ignore=DL3006
FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Astrolabe" \
      org.opencontainers.image.description="Indexer of the Celestia chain and the API that serves what it indexed" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/build ./build
COPY --from=build /app/data ./data
COPY --from=build /app/src/store/migrations ./src/store/migrations
COPY --from=build /app/src/pay/token ./src/pay/token
RUN mkdir -p /var/lib/astrolabe && chown 10001:10001 /var/lib/astrolabe
# The root file system may be read-only: everything that is written goes to this folder.
ENV NODE_ENV=production \
    ASTROLABE_DATA=/var/lib/astrolabe \
    NODE_COMPILE_CACHE=/var/lib/astrolabe/compile-cache
VOLUME /var/lib/astrolabe
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OBSERVABILITY_PORT || 9879) + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/astrolabe.cjs"]
CMD ["--help"]
