// The Lua scripts, read once when the process starts. Their keys and includes: docs/redis-keys.md.
import { readFileSync } from 'node:fs';
import type { Result } from 'ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    applyBatch(...parameters: (string | Buffer)[]): Result<string, Context>;
    beginGeneration(base: string, fingerprint: string, birth: string): Result<string, Context>;
    retireGeneration(base: string): Result<number, Context>;
    replaceGeneration(base: string, successor: string, checkpoint: string): Result<string, Context>;
    emptyGeneration(base: string, birth: string): Result<string, Context>;
    distrustGeneration(base: string, birth: string): Result<string, Context>;
    dropGeneration(base: string): Result<null, Context>;
    dropKeys(base: string, ...keys: string[]): Result<null, Context>;
    dropMeta(base: string): Result<null, Context>;
    turnPointer(key: string, from: string, to: string): Result<null, Context>;
    holdLease(key: string, holder: string, expiresMs: number): Result<number, Context>;
    releaseLease(key: string, holder: string): Result<number, Context>;
  }
}

const FOLDER = new URL('./lua/', import.meta.url);
const INCLUDE = /^-- @include (\S+)\n/gm;

/** The text of a script, with each included file, recursively, where it is first named. */
function scriptText(name: string): string {
  const included = new Set<string>();
  const textOf = (file: string): string =>
    readFileSync(new URL(file, FOLDER), 'utf8').replace(INCLUDE, (_, other: string) => {
      if (included.has(other)) return '';
      included.add(other);
      return textOf(other);
    });
  return textOf(`${name}.lua`);
}

const writing = (name: string) => ({ lua: scriptText(name), numberOfKeys: 1 });

/** In the form that ioredis expects. */
export const WRITING_SCRIPTS = {
  applyBatch: writing('apply-batch'),
  beginGeneration: writing('begin-generation'),
  retireGeneration: writing('retire-generation'),
  replaceGeneration: writing('replace-generation'),
  emptyGeneration: writing('empty-generation'),
  distrustGeneration: writing('distrust-generation'),
  dropGeneration: writing('drop-generation'),
  dropKeys: writing('drop-keys'),
  dropMeta: writing('drop-meta'),
  turnPointer: writing('turn-pointer'),
  holdLease: writing('hold-lease'),
  releaseLease: writing('release-lease'),
};
