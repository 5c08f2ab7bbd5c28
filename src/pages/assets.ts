// Style and script of the pages, read once. Their addresses change with their content, so they may be cached for ever.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

function asset(name: string, type: string): Asset {
  const bytes = readFileSync(path.join(import.meta.dirname, 'assets', name));
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const [stem, ending] = name.split('.');
  return { path: `/assets/${stem}-${digest}.${ending}`, type, bytes };
}

export const ASSETS = {
  style: asset('site.css', 'text/css; charset=utf-8'),
  icon: asset('icon.svg', 'image/svg+xml'),
  script: asset('site.js', 'text/javascript; charset=utf-8'),
  deskStyle: asset('desk.css', 'text/css; charset=utf-8'),
  deskScript: asset('desk.js', 'text/javascript; charset=utf-8'),
} as const;

export function serveAssets(scope: FastifyInstance): void {
  for (const { path: address, type, bytes } of Object.values(ASSETS))
    scope.get(address, (_request, reply) =>
      reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }).send(bytes),
    );
}
