// Which generation a process reads and writes. A generation is what one version of code and settings has made of the
// log; a pointer names the one in use. A process with another fingerprint creates another generation and moves the
// pointer; processes with the former fingerprint keep reading theirs, and write no more. A rebuilt generation
// (generations.ts) replaces one of the same fingerprint, and its users continue with the new one.
import { randomUUID } from 'node:crypto';
import { ReadModelUnavailable } from '../read-model.ts';
import { generationKeys, generationOf, type Keys } from './keys.ts';
import type { Writer } from './writer.ts';

interface GenerationOptions {
  /** Prefix of all keys, so that several calendars may share one Redis. */
  readonly name: string;
  readonly fingerprint: string;
  /** A generation to build beside the one in use; absent: the fingerprint's own, which comes into use. */
  readonly generation: string | undefined;
  readonly address: string;
}

/** Creates the generation if it is missing, and returns its keys. */
export async function enterGeneration(writer: Writer, options: GenerationOptions): Promise<Keys> {
  const { name, fingerprint } = options;
  if (options.generation !== undefined) return begun(writer, options, options.generation);
  const generation = await newestGeneration(writer, name, generationOf(fingerprint));
  const keys = await begun(writer, options, generation);
  // It may have been replaced since.
  if ((await writer.with(keys.meta, (redis) => redis.hexists(keys.meta, 'successor'))) === 1)
    return enterGeneration(writer, options);
  await takeIntoUse(writer, name, generation);
  return keys;
}

/** Ensures the generation exists. Throws `ReadModelUnavailable` if it has another fingerprint. */
async function begun(writer: Writer, options: GenerationOptions, generation: string): Promise<Keys> {
  const { name, fingerprint, address } = options;
  const keys = generationKeys(name, generation);
  const owner = await writer.with(keys.base, (redis) => redis.beginGeneration(keys.base, fingerprint, randomUUID()));
  if (owner === fingerprint) return keys;
  if (owner === '') {
    await removeKeys(writer, keys.base);
    return begun(writer, options, generation);
  }
  throw new ReadModelUnavailable(
    `The read model ${address} is unavailable: its generation ${generation} was made by another version of the service or with other settings. Name another generation.`,
  );
}

/**
 * The current successor of a fingerprint's first generation. An interrupted switch, after the former one was retired,
 * is completed here.
 */
export async function newestGeneration(writer: Writer, name: string, first: string): Promise<string> {
  const pointed = (await writer.with(`${name}:newest`, (redis) => redis.hget(`${name}:newest`, first))) ?? first;
  let newest = pointed;
  for (;;) {
    const { meta } = generationKeys(name, newest);
    const successor = await writer.with(meta, (redis) => redis.hget(meta, 'successor'));
    if (successor === null) return newest;
    await pointTo(writer, name, { first, from: newest, to: successor });
    newest = successor;
  }
}

/** Makes all processes find the successor of a generation. Idempotent. */
export async function pointTo(
  writer: Writer,
  name: string,
  { first, from, to }: { readonly first: string; readonly from: string; readonly to: string },
): Promise<void> {
  await writer.with(`${name}:generations`, (redis) => redis.sadd(`${name}:generations`, to));
  await writer.with(`${name}:newest`, (redis) => redis.hset(`${name}:newest`, first, to));
  await writer.with(`${name}:live`, (redis) => redis.turnPointer(`${name}:live`, from, to));
  await writer.with(`${name}:builds`, (redis) => redis.srem(`${name}:builds`, to));
}

/**
 * Moves the pointer. The former generation is kept, for processes that still read it; the one before that is dropped.
 */
async function takeIntoUse(writer: Writer, name: string, generation: string): Promise<void> {
  await writer.with(`${name}:generations`, (redis) => redis.sadd(`${name}:generations`, generation));
  const previous = await writer.with(`${name}:live`, (redis) => redis.getset(`${name}:live`, generation));
  if (previous === generation || previous === null) return;
  const { base } = generationKeys(name, previous);
  await writer.with(base, (redis) => redis.retireGeneration(base));
  for (const old of await writer.with(`${name}:generations`, (redis) => redis.smembers(`${name}:generations`)))
    if (old !== generation && old !== previous) await dropGeneration(writer, name, old);
}

/** Deletes all of a generation. Processes that still read it turn to its successor. */
export async function dropGeneration(writer: Writer, name: string, generation: string): Promise<void> {
  const { base } = generationKeys(name, generation);
  await writer.with(base, (redis) => redis.dropGeneration(base));
  await removeKeys(writer, base);
  await writer.with(`${name}:generations`, (redis) => redis.srem(`${name}:generations`, generation));
  await writer.with(`${name}:builds`, (redis) => redis.srem(`${name}:builds`, generation));
  await writer.with(`${name}:newest`, async (redis) => {
    for (const [first, newest] of Object.entries(await redis.hgetall(`${name}:newest`)))
      if (newest === generation) await redis.hdel(`${name}:newest`, first);
  });
}

/** In steps that do not block the server; a process that finds an interrupted deletion completes it. */
async function removeKeys(writer: Writer, base: string): Promise<void> {
  const pattern = `${base.replace(/[\\?*[\]]/g, '\\$&')}:*`;
  // From the first key to the last at one server, which owns the slot until the end: another one would begin at its
  // first.
  await writer.with(base, async (redis) => {
    let cursor = '0';
    do {
      const [next, names] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
      if (names.length > 0) await redis.dropKeys(base, ...names);
      cursor = next;
    } while (cursor !== '0');
    await redis.dropMeta(base);
  });
}
