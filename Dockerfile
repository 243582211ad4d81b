# Name it by its digest for an image that is the same twice: --build-arg NODE_IMAGE=node:24-slim@sha256:…
ARG NODE_IMAGE=node:24-slim
FROM $NODE_IMAGE AS build
WORKDIR /app
# No package runs a script of its own; `prepare.mjs` writes the database client from the schema.
COPY package.json package-lock.json .npmrc prisma.config.ts ./
COPY scripts ./scripts
COPY prisma ./prisma
COPY locales ./locales
RUN npm ci --ignore-scripts && node scripts/prepare.mjs
COPY . .
# Without the peers of the database client that only its own tools use, and its compilers for other databases.
RUN npm run build && npm prune --omit=dev --legacy-peer-deps --ignore-scripts \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*.postgresql.*' -delete

FROM $NODE_IMAGE
ENV NODE_ENV=production ASSENTRY_HOST=0.0.0.0 ASSENTRY_DATA_DIR=/var/lib/assentry
# On a machine with much memory, Node.js would let garbage grow to four times what a node uses, and keep the room for it.
ENV NODE_OPTIONS="--max-old-space-size=2000 --max-semi-space-size=16"
# With a pool for each thread, glibc would keep what has been freed.
ENV MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/dist ./dist
# Used only without DATABASE_URL, by the embedded database.
RUN install -d -o node -g node -m 0700 /var/lib/assentry
# `node`, by its number, so that Kubernetes sees that it is not root.
USER 1000:1000
EXPOSE 4700
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ASSENTRY_PORT ?? 4700}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/cli/main.js", "serve"]
