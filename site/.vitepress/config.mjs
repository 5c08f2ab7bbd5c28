// The documentation as a site: `npm ci --prefix site && npm run build --prefix site` writes it to site/.vitepress/dist.
// DAYBOOK_SITE, such as https://daybook.example, offers the documentation of each release (see build.mjs).
// DAYBOOK_REPOSITORY, such as https://code.example/daybook/blob/main, makes links of what is no page; without it they are plain text.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { releases } from '../releases.mjs';

const SITE = path.resolve(import.meta.dirname, '..');
const ROOT = path.resolve(SITE, '..');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const { DAYBOOK_REPOSITORY: repository, DAYBOOK_SITE: site } = process.env;

/** The groups of the index of the README, by the titles that they have here. */
const GROUPS = {
  'Use it': ['tour', 'api', 'pages', 'desk', 'submissions', 'webhooks', 'sources', 'assistants', 'languages', 'migrating'],
  'Run it': [
    'operations/deploy',
    ...['configure', 'users', 'monitor', 'troubleshoot', 'back-up', 'upgrade', 'rebuild', 'erase', 'move', 'clients'].map(
      (name) => `operations/${name}`,
    ),
    'deploy/README',
    'security',
    'scale',
    'figures',
  ],
  'Change it': ['architecture', 'adding-a-field', 'writing-projections', 'decisions/README', 'redis-keys', 'dependencies'],
};

const pageOf = (name) => readFileSync(path.join(ROOT, 'docs', `${name}.md`), 'utf8');
const titleOf = (name) => /^# (.+)$/m.exec(pageOf(name))?.[1] ?? name;
const addressOf = (name) => `/docs/${name}`;

const sidebar = Object.entries(GROUPS).map(([text, names]) => ({
  text,
  items: names.map((name) => ({ text: titleOf(name), link: addressOf(name) })),
}));

/** The first paragraph of a page, without its marks. */
function summaryOf(name) {
  const [paragraph = ''] = pageOf(name)
    .replace(/^# .+$/m, '')
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n{2,}/)
    .filter((text) => /^\s*\w/.test(text));
  return paragraph.trim().replace(/\s+/g, ' ').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

/** For assistants: https://llmstxt.org */
const llms = () =>
  [
    `# Daybook ${version}`,
    '',
    `> ${readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('\n\n')[1].replace(/\n/g, ' ')}`,
    ...Object.entries(GROUPS).flatMap(([title, names]) => [
      ...['', `## ${title}`, ''],
      ...names.map((name) => `- [${titleOf(name)}](${addressOf(name)}.html): ${summaryOf(name)}`),
    ]),
    '',
  ].join('\n');

/** Whole addresses: each release is a site of its own. */
const versions = (site) => [
  { text: 'What has changed', link: '/CHANGELOG' },
  { text: 'Newest', link: `${site}/`, target: '_self' },
  ...releases.map((release) => ({ text: release, link: `${site}/${release}/`, target: '_self' })),
];

/** Links to files that are no pages: to the repository, or plain text. */
function linkSources(markdown) {
  const isPage = (href) => /^(?:[a-z]+:|#)|\.md(?:#|$)/.test(href);
  markdown.core.ruler.push('sources', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isOpen = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open' && !isPage(token.attrGet('href'))) {
          const file = path.posix.join(path.posix.dirname(env.relativePath), token.attrGet('href'));
          if (repository === undefined) {
            isOpen = true;
            token.tag = 'span';
            token.attrs = [];
          } else token.attrSet('href', `${repository}/${file}`);
        } else if (token.type === 'link_close' && isOpen) {
          token.tag = 'span';
          isOpen = false;
        }
      }
    }
  });
}

/** Pages lie outside of the folder that has the packages. */
const packagesOfSite = {
  name: 'packages-of-site',
  enforce: 'pre',
  resolveId(id, importer, options) {
    if (!/^vue(?:\/|$)/.test(id)) return null;
    if (options.ssr) return { id, external: true };
    if (importer === undefined || importer.startsWith(SITE)) return null;
    return this.resolve(id, path.join(SITE, 'package.json'), { ...options, skipSelf: true });
  },
};

export default {
  title: 'Daybook',
  description: 'A calendar service that keeps its whole history.',
  srcDir: '..',
  srcExclude: ['**/node_modules/**', 'site/**', 'test/**', 'examples/**', 'data/**', '.github/**'],
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: false,
  markdown: { config: linkSources },
  vite: { plugins: [packagesOfSite] },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      site === undefined || releases.length === 0
        ? { text: `Version ${version}`, link: '/CHANGELOG' }
        : { text: `Version ${version}`, items: versions(site) },
    ],
    sidebar,
    outline: [2, 3],
  },
  buildEnd: ({ outDir }) => writeFileSync(path.join(outDir, 'llms.txt'), llms()),
};
