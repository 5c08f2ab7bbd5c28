// Which generation a process reads and writes. A generation is what one state of code and settings has made of the log;
// the pointer names the one in use. Whoever comes with another fingerprint begins another generation and turns the
// pointer; processes with the one before go on reading what they have, and write no more.
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
  const { name, fingerprint, generation = generationOf(fingerprint), address } = options;
  const keys = generationKeys(name, generation);
  const owner = await writer.with((redis) => redis.daybookBegin(keys.base, fingerprint, randomUUID()));
  if (owner !== fingerprint)
    throw new ReadModelUnavailable(
      `The read model ${address} is unavailable: its generation ${generation} was made by another version of the service or with other settings. Name another generation.`,
    );
  if (options.generation === undefined) await takeIntoUse(writer, name, generation);
  return keys;
}

/** Turns the pointer. What was in use before is kept, for those who still read it; what was before that goes. */
async function takeIntoUse(writer: Writer, name: string, generation: string): Promise<void> {
  const before = await writer.with(async (redis) => {
    await redis.sadd(`${name}:generations`, generation);
    return redis.getset(`${name}:live`, generation);
  });
  if (before === generation || before === null) return;
  await writer.with(async (redis) => {
    await redis.daybookRetire(generationKeys(name, before).base);
    for (const old of await redis.smembers(`${name}:generations`)) {
      if (old === generation || old === before) continue;
      await redis.daybookEmpty(generationKeys(name, old).base, 'drop');
      await redis.srem(`${name}:generations`, old);
    }
  });
}
