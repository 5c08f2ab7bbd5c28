// The sections of the desk, in the order of its menu. A section is a row here, and a file with its pages.
import type { FastifyInstance } from 'fastify';
import type { User } from '../../auth/caller.ts';
import type { ImportersAdmitted } from '../../auth/policy.ts';
import type { DeskWord } from '../../locales/language.ts';
import { auditSection } from './audit/routes.ts';
import { eventSection } from './events/routes.ts';
import { importSection } from './import/routes.ts';
import { nextSection } from './next/routes.ts';
import { pictureSection } from './pictures/routes.ts';
import { resourceSections } from './resources/routes.ts';
import { reviewSection } from './review/routes.ts';
import { ruleSection } from './rules/routes.ts';
import { setSection } from './sets/routes.ts';
import { settingsSection } from './settings/routes.ts';
import { sourceSection } from './sources/routes.ts';
import { userSection } from './users/routes.ts';
import { webhookSection } from './webhooks/routes.ts';

/** What an installation lets which users do. */
export interface Admitted {
  readonly importers: ImportersAdmitted;
}

export interface DeskSection {
  /** Its name in the menu. */
  readonly word: DeskWord;
  readonly path: string;
  /** Who finds it in the menu. What pages show and do is decided by the API. */
  readonly may: (user: User, admitted: Admitted) => boolean;
  /** Adds the routes of its pages. All of them are for users who are signed in. */
  readonly routes: (app: FastifyInstance) => void;
}

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
