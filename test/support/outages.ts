// Stores that can be taken away from a running service and given back.
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import { ReadModelUnavailable } from '../../src/read-model/read-model.ts';
import type { Stores } from '../../src/stores.ts';

/** What an adapter may say of its store; none of it is for clients. */
export const SECRET_ADDRESS = 'redis://user:secret@10.0.0.7:6379';

export interface Down {
  store: boolean;
  views: boolean;
  /** Views answer, but nothing gets into them. */
  filling: boolean;
}

export interface Outages {
  readonly wrap: (stores: Stores) => Stores;
  /** What is away at the moment. */
  readonly down: Down;
  /** How many calls have been refused so far. */
  refused: number;
  /** Called once `store.append` has written something. */
  written: () => void;
  /** Called once `readModel.apply` has applied something. */
  applied: () => void;
  /** How often functions of the store are called by what is asked in `asking`, and not by what goes on beside it. */
  storeCallsOf(asking: () => Promise<void>): Promise<number>;
}

interface Interception {
  /** Throws when the answer must not come. */
  readonly before: (name: string) => void;
  readonly after: (name: string) => void;
}

/** `target` with something before and after each of its functions that answer with a promise. */
function intercepted<T extends object>(target: T, { before, after }: Interception): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || name === 'close' || name === 'subscribe') return member;
      return async (...given: unknown[]) => {
        before(String(name));
        const answer: unknown = await member.apply(target, given);
        after(String(name));
        return answer;
      };
    },
  });
}

export function outages(): Outages {
  const counted = new AsyncLocalStorage<{ calls: number }>();
  const down: Down = { store: false, views: false, filling: false };
  const own: Outages = {
    down,
    refused: 0,
    written: () => {},
    applied: () => {},
    async storeCallsOf(asking) {
      const count = { calls: 0 };
      await counted.run(count, asking);
      return count.calls;
    },
    wrap(stores) {
      const store = intercepted(stores.store, {
        before: () => {
          const count = counted.getStore();
          if (count) count.calls += 1;
          if (!down.store) return;
          own.refused += 1;
          throw new EventStoreUnavailable(`The store at ${SECRET_ADDRESS} is away.`);
        },
        after: (name) => name === 'append' && own.written(),
      });
      const interception: Interception = {
        before: (name) => {
          if (!down.views && !(down.filling && name === 'apply')) return;
          own.refused += 1;
          throw new ReadModelUnavailable(`The read model at ${SECRET_ADDRESS} is away.`);
        },
        after: (name) => name === 'apply' && own.applied(),
      };
      const readModel = intercepted(stores.readModel, interception);
      const projectorModel = intercepted(stores.projectorModel, interception);
      return { ...stores, store, readModel, projectorModel };
    },
  };
  return own;
}
