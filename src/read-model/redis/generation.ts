// Which generation a process reads and writes. A generation is what one state of code and settings has made of the log;
// the pointer names the one in use. A process with another fingerprint begins another generation and turns the
// pointer; processes with the one before go on reading what they have, and write no more. A generation that was built
// anew (generations.ts) takes the place of one of the same fingerprint: those who used that one go on with this one.
import { randomUUID } from 'node:crypto';
import { ReadModelUnavailable } from '../read-model.ts';
import { generationKeys, generationOf, type Keys } from './keys.ts';
import type { Writer } from './writer.ts';

export interface GenerationOptions {
  /** Begins the names of all keys, so that several calendars may share one Redis. */
  readonly name: string;
  readonly fingerprint: string;
  /** One to work on beside the one in use, which stays in use; absent: the fingerprint's own, which comes into use. */
  readonly generation: string | undefined;
  readonly address: string;
}

/** Creates the generation, if it is not there, and gives its keys. */
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

/** Makes sure of the generation. Throws `ReadModelUnavailable` when it is of another fingerprint. */
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
 * The generation that is now in the place of a fingerprint's first one. A switch that was cut short after the one before
 * had been given up is finished here.
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

/** Makes all processes find what has taken the place of a generation. Done again, it changes nothing. */
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

/** Turns the pointer. What was in use before is kept, for those who still read it; what was before that goes. */
async function takeIntoUse(writer: Writer, name: string, generation: string): Promise<void> {
  await writer.with(`${name}:generations`, (redis) => redis.sadd(`${name}:generations`, generation));
  const before = await writer.with(`${name}:live`, (redis) => redis.getset(`${name}:live`, generation));
  if (before === generation || before === null) return;
  const { base } = generationKeys(name, before);
  await writer.with(base, (redis) => redis.retireGeneration(base));
  for (const old of await writer.with(`${name}:generations`, (redis) => redis.smembers(`${name}:generations`)))
    if (old !== generation && old !== before) await dropGeneration(writer, name, old);
}

/** Leaves nothing of a generation. Those who still read it turn to the one that is in its place. */
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

/** In steps that do not block the server; a process that finds a generation whose removal was broken off goes on with it. */
async function removeKeys(writer: Writer, base: string): Promise<void> {
  const pattern = `${base.replace(/[\\?*[\]]/g, '\\$&')}:*`;
  // From the first key to the last at one server, which has the slot until the end: another one would begin at its first.
  await writer.with(base, async (redis) => {
    let cursor = '0';
    do {
      const [next, found] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
      if (found.length > 0) await redis.dropKeys(base, ...found);
      cursor = next;
    } while (cursor !== '0');
    await redis.dropMeta(base);
  });
}
