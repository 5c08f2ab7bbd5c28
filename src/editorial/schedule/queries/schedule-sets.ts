// Sets of proposals that will be applied at an instant, as what happens by itself.

import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import type { ChangeSet } from '../../change-sets/domain/change-set.ts';
import type { ScheduleSource } from './schedule.ts';

interface SetSources {
  /** The instant of each scheduled set, by its id. */
  readonly scheduled: () => Promise<ReadonlyMap<number, EpochSeconds>>;
  readonly find: (id: number) => Promise<ChangeSet | null>;
}

/** The scheduled sets, for callers who may apply them. */
export const openSetSchedule = ({ scheduled, find }: SetSources): ScheduleSource => ({
  kinds: ['set'],
  async upcoming(caller) {
    if (!mayAssignAuthors(caller)) return [];
    return [...(await scheduled())].map(([id, at]) => ({ kind: 'set' as const, id, at }));
  },
  describe: (page) =>
    Promise.all(
      page.map(async ({ id, at }) => {
        const set = await find(id);
        if (!set?.schedule) return null;
        return { kind: 'set' as const, id, at, action: 'apply' as const, title: set.name, author: set.author };
      }),
    ),
});
