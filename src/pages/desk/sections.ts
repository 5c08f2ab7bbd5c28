// The sections of the desk in the five groups of its menu. A section is a row here, and a file with its pages.

import { calendarSection } from '../../calendar/event/desk/calendar/routes.ts';
import { eventSection } from '../../calendar/event/desk/routes.ts';
import { pictureSection } from '../../calendar/picture/desk/routes.ts';
import { resourceSections } from '../../calendar/resource/desk/routes.ts';
import { settingsSection } from '../../calendar/site/desk/routes.ts';
import { logSection } from '../../editorial/audit/desk/log-pages.ts';
import { auditSection } from '../../editorial/audit/desk/routes.ts';
import { setSection } from '../../editorial/change-sets/desk/routes.ts';
import { reviewSection } from '../../editorial/proposals/desk/routes.ts';
import { ruleSection } from '../../editorial/review-rules/desk/routes.ts';
import { nextSection } from '../../editorial/schedule/desk/routes.ts';
import { importSection } from '../../exchange/import/desk/routes.ts';
import { sourceSection } from '../../exchange/sources/desk/routes.ts';
import { webhookSection } from '../../exchange/webhooks/desk/routes.ts';
import type { DeskWord } from '../../locales/language.ts';
import type { User } from '../../people/auth/caller.ts';
import { userSection } from '../../people/users/desk/routes.ts';
import type { Admitted, DeskRequest, DeskSection, MenuGroup } from './page.ts';
import { systemSection } from './system-page.ts';

interface SectionGroup {
  readonly word: DeskWord;
  readonly sections: readonly DeskSection[];
}

const GROUPS: readonly SectionGroup[] = [
  { word: 'group_calendar', sections: [eventSection, calendarSection, nextSection, pictureSection] },
  { word: 'group_known', sections: resourceSections },
  { word: 'group_review', sections: [reviewSection, setSection, ruleSection] },
  { word: 'group_exchange', sections: [importSection, sourceSection, webhookSection] },
  { word: 'group_site', sections: [auditSection, userSection, settingsSection, systemSection, logSection] },
];

export const DESK_SECTIONS: readonly DeskSection[] = GROUPS.flatMap(({ sections }) => sections);

/** The groups with what this user finds in them; empty ones are left out. */
export const menuFor = (user: User, admitted: Admitted): readonly MenuGroup[] =>
  GROUPS.map(({ word, sections }) => ({
    word,
    entries: sections.filter(({ may }) => may(user, admitted)).map((section) => ({ ...section, waiting: 0 })),
  })).filter(({ entries }) => entries.length > 0);

/** The menu with how much waits for the user in each section. */
export const countedMenu = ({ menu, ...request }: DeskRequest): Promise<readonly MenuGroup[]> =>
  Promise.all(
    menu.map(async ({ word, entries }) => ({
      word,
      entries: await Promise.all(
        entries.map(async (entry) => ({ ...entry, waiting: (await entry.count?.({ ...request, menu })) ?? 0 })),
      ),
    })),
  );
