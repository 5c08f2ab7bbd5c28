// Places for requests that wait or listen: limited in total, per user and per address.
import { phrase } from '../../locales/phrases.ts';
import { ApiError, rateLimited } from '../errors.ts';

export interface SeatLimits {
  readonly forAll: number;
  readonly forUser: number;
  readonly forAddress: number;
}

/** Who takes a place. Null: anonymous, or an address that many clients may share, which is not counted. */
export interface Guest {
  readonly user: number | null;
  readonly address: string | null;
}

const RETRY_AFTER_SECONDS = 10;

export function openSeats({ forAll, forUser, forAddress }: SeatLimits) {
  const counts = new Map<string, number>();
  const count = (key: string, by: 1 | -1): void => {
    const left = (counts.get(key) ?? 0) + by;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  };
  const isFull = (key: string, most: number): boolean => (counts.get(key) ?? 0) >= most;

  return {
    /**
     * Takes a place until it is released, or until the client has gone. Throws 503 if all places are taken, 429 if this
     * guest has too many of them.
     */
    take({ user, address }: Guest, listening: AbortSignal): () => void {
      const [ofUser, ofAddress] = [`user ${user}`, `address ${address}`];
      if (isFull('all', forAll)) throw new ApiError('rest_unavailable', { text: phrase('too_many_waiting') });
      if (user !== null && isFull(ofUser, forUser)) throw rateLimited(RETRY_AFTER_SECONDS);
      if (address !== null && isFull(ofAddress, forAddress)) throw rateLimited(RETRY_AFTER_SECONDS);
      const keys = ['all', ofUser, ofAddress];
      for (const key of keys) count(key, 1);
      const leave = (): void => {
        for (const key of keys.splice(0)) count(key, -1);
        listening.removeEventListener('abort', leave);
      };
      listening.addEventListener('abort', leave);
      if (listening.aborted) leave();
      return leave;
    },
  };
}
