// The sections of the desk, in the order of its menu. A section is a row here, and a file with its pages.

import { eventSection } from '../../calendar/event/desk/routes.ts';
import { pictureSection } from '../../calendar/picture/desk/routes.ts';
import { resourceSections } from '../../calendar/resource/desk/routes.ts';
import { settingsSection } from '../../calendar/site/desk/routes.ts';
import { auditSection } from '../../editorial/audit/desk/routes.ts';
import { setSection } from '../../editorial/change-sets/desk/routes.ts';
import { reviewSection } from '../../editorial/proposals/desk/routes.ts';
import { ruleSection } from '../../editorial/review-rules/desk/routes.ts';
import { nextSection } from '../../editorial/schedule/desk/routes.ts';
import { importSection } from '../../exchange/import/desk/routes.ts';
import { sourceSection } from '../../exchange/sources/desk/routes.ts';
import { webhookSection } from '../../exchange/webhooks/desk/routes.ts';
import { userSection } from '../../people/users/desk/routes.ts';
import type { DeskSection } from './page.ts';

export const DESK_SECTIONS: readonly DeskSection[] = [
  eventSection,
  ...resourceSections,
  reviewSection,
  setSection,
  pictureSection,
  nextSection,
  auditSection,
  importSection,
  sourceSection,
  ruleSection,
  userSection,
  webhookSection,
  settingsSection,
];
