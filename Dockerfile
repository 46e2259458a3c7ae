# syntax=docker/dockerfile:1
# One image for every process; the command chooses which:
#   node api/server.ts                          the API (default)
#   node worker/main.ts --queue platform        relay, deliveries
#   node worker/main.ts --queue documents       Document AI
#   node platform/db/migrate.ts                 migrations, once for each release
# Configuration and secrets come from the environment (.env.example); the image holds none.

FROM node:24-bookworm-slim AS base
ENV NODE_ENV=production
WORKDIR /app

FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
# No install script is needed: native libraries are packages of their own, and Node is the image's.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts

FROM base AS source
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json tsconfig.json ./
COPY platform ./platform
COPY domain ./domain
COPY documents ./documents
COPY workflows ./workflows
COPY activities ./activities
COPY worker ./worker
COPY api ./api
COPY console ./console
COPY docs ./docs
COPY docker/bundle-workflows.mjs docker/create-bucket.mjs ./docker/
# Workflow code is bundled here, so that code that can't be bundled fails the build and workers start without that work.
RUN node docker/bundle-workflows.mjs

FROM base AS runtime
COPY --from=source --chown=root:root /app ./
# The only folder that the process may write to; with BLOB_DRIVER=fs mount a shared volume at /app/var/blobs.
RUN mkdir -p var/blobs && chown -R node:node var
USER node
ENV API_HOST=0.0.0.0 API_PORT=3000 WORKER_METRICS_HOST=0.0.0.0 WORKER_METRICS_PORT=9464
EXPOSE 3000 9464
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=60", "--no-allocation-site-pretenuring", "api/server.ts"]
