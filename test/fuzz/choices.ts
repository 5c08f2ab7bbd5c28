// Choices that look random and are the same in every run of one seed.
import { seeded } from '../support/seeded.ts';

export interface Choices {
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  /** True once in so many times, on average. */
  once(inSoMany: number): boolean;
  one<T>(of: readonly T[]): T;
  /** Some of them, in their order; on average this part of them. */
  some<T>(of: readonly T[], part: number): T[];
}

export function choices(seed: number): Choices {
  const next = seeded(seed);
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    once: (inSoMany) => next() * inSoMany < 1,
    one<T>(of: readonly T[]): T {
      const chosen = of[below(of.length)];
      if (chosen === undefined && of.length === 0) throw new Error('there is nothing to choose from');
      return chosen as T; // The index lies within.
    },
    some: (of, part) => of.filter(() => next() < part),
  };
}
