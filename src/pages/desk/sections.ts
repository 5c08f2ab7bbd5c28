// The sections of the desk, in the order of its menu. A section is a row here, and a file with its pages.

import { auditSection } from './audit/routes.ts';
import { eventSection } from './events/routes.ts';
import { importSection } from './import/routes.ts';
import { nextSection } from './next/routes.ts';
import type { DeskSection } from './page.ts';
import { pictureSection } from './pictures/routes.ts';
import { resourceSections } from './resources/routes.ts';
import { reviewSection } from './review/routes.ts';
import { ruleSection } from './rules/routes.ts';
import { setSection } from './sets/routes.ts';
import { settingsSection } from './settings/routes.ts';
import { sourceSection } from './sources/routes.ts';
import { userSection } from './users/routes.ts';
import { webhookSection } from './webhooks/routes.ts';

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
