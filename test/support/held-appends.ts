// A service whose appends a test holds, before they are written or behind it.
import type { Stores } from '../../src/stores.ts';

type Append = Stores['store']['append'];
type Appends = Parameters<Append>[0];

/** For `wrap` of `startTestService`: `around` appends by itself. */
export const holdingAppends =
  (around: (appends: Appends, append: Append) => ReturnType<Append>) =>
  (stores: Stores): Stores => ({
    ...stores,
    store: { ...stores.store, append: (appends) => around(appends, stores.store.append) },
  });
