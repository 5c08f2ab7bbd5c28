// Setting what the site is called, where it is, and which language it speaks.

import type { CommandContext } from '../../../commands/context.ts';
import { type StepDependencies, setSingle } from '../../../commands/numbered.ts';
import { rejected } from '../../../domain/decider.ts';
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

const SETTINGS = { stream: SITE_SETTINGS_STREAM, evolve: evolveSiteSettings };

/** Sets settings of the site; `forbidden`, `precondition_failed`, `zone_settled`. */
export async function setSettings(
  dependencies: StepDependencies,
  context: CommandContext,
  patch: Partial<SiteSettings>,
) {
  if (!mayManageSite(context.caller)) return rejected('forbidden');
  return setSingle<SiteSettings, SiteSettingsFact>(SETTINGS, dependencies, context, async (settings) =>
    setSiteSettings(settings, patch, await stateOfCalendar(dependencies.store)),
  );
}

/** Whether there was ever an event. */
export async function stateOfCalendar(store: Pick<EventStore, 'readAll'>): Promise<'empty' | 'filled'> {
  const events = await store.readAll({ after: LOG_START, prefixes: ALL_EVENTS, limit: 1 });
  return events.length === 0 ? 'empty' : 'filled';
}
