// Answers to the public that can be found by the address alone. Within one version of the read model and one second of the
// clock, the same address has the same answer, so that its request need not be read again.
import type { EpochSeconds } from '../time/zone.ts';

/** As long as a version of the read model and a second of the clock last. */
export interface Moment {
  readonly version: string;
  readonly now: EpochSeconds;
}

export interface RecentAddresses<Answer> {
  /** `address`: site and URL as they were sent. */
  remember(address: string, moment: Moment, answer: Answer): void;
  /** What was remembered in this very moment; null at once where there can be none. */
  recall(address: string, now: EpochSeconds): Promise<(Moment & { readonly answer: Answer }) | null> | null;
}

const MAX_ADDRESSES = 2_000;
const MAX_ADDRESS_LENGTH = 2_000;

/** `Answer` should name a cache entry instead of holding it, or what has been evicted is held for another moment. */
export function openRecentAddresses<Answer>(version: () => Promise<string>): RecentAddresses<Answer> {
  let answers = new Map<string, Answer>();
  let ofMoment: Moment = { version: '', now: Number.NaN };

  async function recallNow(address: string, now: EpochSeconds): Promise<(Moment & { answer: Answer }) | null> {
    const moment = { version: await version(), now };
    // Another moment may have begun meanwhile.
    const answer = isSame(ofMoment, moment) ? answers.get(address) : undefined;
    return answer === undefined ? null : { ...moment, answer };
  }

  return {
    remember(address, moment, answer) {
      if (address.length > MAX_ADDRESS_LENGTH) return;
      if (!isSame(ofMoment, moment)) {
        answers = new Map();
        ofMoment = moment;
      }
      if (answers.size < MAX_ADDRESSES) answers.set(address, answer);
    },
    recall: (address, now) => (now === ofMoment.now && answers.has(address) ? recallNow(address, now) : null),
  };
}

const isSame = (one: Moment, other: Moment): boolean => one.version === other.version && one.now === other.now;
