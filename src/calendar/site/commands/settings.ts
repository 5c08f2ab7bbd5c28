// Setting what the site is called, where it is, and which language it speaks.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { type CommandResult, handleCommand, refused } from '../../../commands/handle-command.ts';
import { ALL_EVENTS } from '../../../editorial/series/facts/occurrences.ts';
import { LOG_START } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { mayManageSite } from '../../../people/auth/policy.ts';
import {
  evolveSiteSettings,
  SITE_SETTINGS_STREAM,
  type SiteSettings,
  type SiteSettingsFact,
  setSiteSettings,
} from '../domain/site-settings.ts';

/** The one resource of its kind. */
const ONLY = 1;

/** Sets settings of the site; `forbidden`, `precondition_failed`, `zone_settled`. */
export function setSettings(
  dependencies: Pick<CommandDependencies, 'store' | 'newEventId' | 'turns' | 'slugSearches'>,
  context: CommandContext,
  patch: Partial<SiteSettings>,
): Promise<CommandResult<SiteSettings>> {
  const streams = [SITE_SETTINGS_STREAM];
  return handleCommand<SiteSettings, SiteSettingsFact>(dependencies, context, streams, async (unit) => {
    if (!mayManageSite(context.caller)) return refused({ code: 'forbidden' });
    const { state, revision } = await unit.load(SITE_SETTINGS_STREAM, evolveSiteSettings);
    const { ifRevision } = context;
    // Tags count its facts: there is one of settings that have never been set, too.
    if (ifRevision !== undefined && ifRevision !== revision + 1) return refused({ code: 'precondition_failed' });
    const decision = setSiteSettings(state, patch, await stateOfCalendar(dependencies.store));
    if (decision.kind === 'rejected') return decision;
    await unit.record(SITE_SETTINGS_STREAM, decision.facts);
    return { kind: 'planned', id: ONLY, stream: SITE_SETTINGS_STREAM, evolve: evolveSiteSettings, created: false };
  });
}

/** Whether there was ever an event. */
export async function stateOfCalendar(store: Pick<EventStore, 'readAll'>): Promise<'empty' | 'filled'> {
  const events = await store.readAll({ after: LOG_START, prefixes: ALL_EVENTS, limit: 1 });
  return events.length === 0 ? 'empty' : 'filled';
}
