// What the JSON file of a theme consists of.
import Type, { type Static } from 'typebox';
import { Errors } from 'typebox/value';

const exactly = { additionalProperties: false } as const;
const address = Type.String({ pattern: '^(?:https?://|/(?!/)|mailto:)\\S+$', maxLength: 2_000 });
const label = Type.String({ minLength: 1, maxLength: 60 });
/** With a place for each number of a tile, all behind the host. */
const TILES = '^https?://[^\\s/{}]+/(?=\\S*\\{z\\})(?=\\S*\\{x\\})(?=\\S*\\{y\\})\\S+$';
const colour = Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }));

const THEME = Type.Object(
  {
    logo: Type.Optional(Type.String({ pattern: '^[^/\\\\]+\\.(?:svg|png|webp|jpg|jpeg)$' })),
    accent: Type.Optional(Type.Object({ light: colour, dark: colour }, exactly)),
    imprint: Type.Optional(address),
    map: Type.Optional(
      Type.Object({ tiles: Type.String({ pattern: TILES, maxLength: 2_000 }), credit: label }, exactly),
    ),
    links: Type.Optional(
      Type.Array(Type.Object({ label, url: address }, exactly), {
        maxItems: 20,
      }),
    ),
  },
  exactly,
);
export type ThemeFile = Static<typeof THEME>;

export const errorsOf = (content: unknown): ReturnType<typeof Errors> => Errors(THEME, content);
