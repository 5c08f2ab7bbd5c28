# Nothing is compiled: Node runs the sources as they are, and SQLite comes built inside its package.
# Measured on 2026-11-26 with buildah 1.28 over a base of our own (118 MB): 119 MB as it is pulled, 358 MB unpacked, of which Node is 121.
# Buildah and Podman need `--format docker`: images of OCI have no health check.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/bring-node.mjs scripts/node-version.mjs ./scripts/
RUN npm ci --omit=dev --no-audit --no-fund
# What no process reads: sources of SQLite, programs for other systems and libraries, types, maps.
RUN rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src node_modules/@types \
    && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
    && find node_modules -depth -type d -path '*linux*-musl*' -exec rm -rf {} + \
    && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# Node alone, without npm and what else comes with it.
FROM debian:bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DAYBOOK_DATA_DIR=/data
WORKDIR /app
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
# Fails where a library is missing that Node needs.
RUN ["node", "--version"]
# No VOLUME: processes whose stores are servers keep nothing here, and would each leave an empty volume behind.
RUN mkdir -m 0700 /data && chown 1000:1000 /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY scripts/node-version.mjs scripts/npm-shell.mjs scripts/relative-imports.mjs ./scripts/
COPY bin ./bin
COPY projections ./projections
COPY src ./src
# By number, so that an orchestrator sees that it is not root.
USER 1000:1000
EXPOSE 8080
# Whether the process lives, and no more: one whose store is away mends itself, and still answers what it can.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1: it receives SIGTERM and shuts down gracefully. No shell is needed, and nothing is written but to /data and /tmp.
ENTRYPOINT ["node", "/app/bin/daybook.mjs"]
CMD ["serve"]
