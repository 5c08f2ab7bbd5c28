# Nothing is compiled: Node runs the sources as they are, and SQLite comes built inside its package.
FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DAYBOOK_DATA_DIR=/data
WORKDIR /app
# No VOLUME: processes whose stores are servers keep nothing here, and would each leave an empty volume behind.
RUN mkdir -m 0700 /data && chown node:node /data
COPY package.json package-lock.json ./
COPY scripts/bring-node.mjs scripts/node-version.mjs ./scripts/
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY bin ./bin
COPY projections ./projections
COPY src ./src
USER node
EXPOSE 8080
# The health of a container is its orchestrator's to check, at /healthz: docker-compose.yml does.
# bin/daybook becomes Node itself, so process 1 receives SIGTERM and shuts down gracefully.
ENTRYPOINT ["/app/bin/daybook"]
CMD ["serve"]
