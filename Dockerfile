# Foyer image. The build uses the same npm scripts as a local build.
#   docker build -t foyer .
#   docker run -p 3000:3000 -v foyer-data:/data foyer
# Links in mails begin with http://localhost:3000. Elsewhere: docker run -e FOYER_PUBLIC_URL=https://tickets.your-venue.example …
# Node.js 20 is the minimum version. Build with --build-arg NODE_VERSION=24 for a supported release.
ARG NODE_VERSION=20

FROM node:${NODE_VERSION}-bookworm-slim AS build
# Compilers, needed only if better-sqlite3 has no prebuilt binary for the platform. Not part of the final image.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Dependencies first, so that a source change reuses this layer.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
# npm ci leaves out an optional package that it cannot install: check that the native packages work.
RUN node -e "new (require('better-sqlite3'))(':memory:'); require('@node-rs/argon2')"
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/ scripts/
COPY src/ src/
COPY web/ web/
RUN npm run build
RUN npm prune --omit=dev

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  FOYER_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules/ node_modules/
COPY --from=build /app/dist/ dist/
COPY migrations/ migrations/
# The program files belong to root; user node owns only the data directory.
RUN install -d -o node -g node -m 0700 /data
USER node
# The SQLite data directory. Unused with DATABASE_URL.
VOLUME /data
EXPOSE 3000
# Foyer finishes running requests and stops within ten seconds: use a longer stop timeout.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
