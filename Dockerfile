# Build: compilers for the native SQLite module, all dependencies, then without those that only building needs.
FROM node:20-bookworm-slim AS build
WORKDIR /app
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 make g++ \
 && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY projections ./projections
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

# Run: Node, the production dependencies and the compiled service, which may write to /data and nowhere else.
FROM node:20-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DAYBOOK_DATA_DIR=/data
WORKDIR /app
# No VOLUME: processes whose stores are servers keep nothing here, and would each leave an empty volume behind.
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 8080
# Whoever runs the image checks its health, at /healthz: docker-compose.yml does.
# Node itself is process 1 unless there is an init, so that SIGTERM reaches the service and it ends in good order.
ENTRYPOINT ["node", "dist/src/main.js"]
CMD ["serve"]
