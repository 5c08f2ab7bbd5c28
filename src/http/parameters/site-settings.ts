// Settings of the site, as clients send them. An empty text takes a choice back.
import { isAllowed, MAX_LABEL, MAX_LINKS, MAX_SITE_NAME } from '../../domain/site-settings.ts';
import { allowed } from './allowed.ts';
import { isEmpty } from './readers.ts';
import { allowing, type Validator } from './validator.ts';

export const siteName: Validator = allowing(
  allowed('allowed_characters', { least: 1, most: MAX_SITE_NAME }),
  (value) => isEmpty(value) || (typeof value === 'string' && isAllowed('site_name', value)),
);

export const siteLinks: Validator = allowing(
  allowed('allowed_site_links', { most: MAX_LINKS, characters: MAX_LABEL }),
  (value) => {
    if (isEmpty(value)) return { value: [] };
    if (!Array.isArray(value)) return false;
    const links = value.map((link: unknown) => {
      const { label, url } = Object(link) as { readonly label?: unknown; readonly url?: unknown };
      return { label: typeof label === 'string' ? label : '', url: typeof url === 'string' ? url : '' };
    });
    return isAllowed('links', links) && { value: links };
  },
);
