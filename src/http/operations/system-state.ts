// The state of an installation on one page: what operators look at before anything fails.
import { stat } from 'node:fs/promises';
import { connect } from 'node:tls';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { Health } from '../../observability/health.ts';

export interface SystemState {
  /** Whether the log answers. */
  readonly hasLog: boolean;
  /** How far the views are behind it; null if that is not known. */
  readonly lagSeconds: number | null;
  /** Whether they are shown, and no further behind than usual. */
  readonly isFollowing: boolean;
  /** When the build of the views in use was begun; null: their engine does not tell. */
  readonly built: EpochSeconds | null;
  /** When a backup was made last and checked; null: never from this data folder. */
  readonly backedUp: EpochSeconds | null;
  /** Until when the certificate of the site is valid; null: it has none, or cannot be reached. */
  readonly certified: EpochSeconds | null;
  /** The versions of the service, its runtime and its zone rules. */
  readonly versions: readonly string[];
}

interface SystemSources {
  readonly health: Pick<Health, 'examine'>;
  /** When a backup was made last from this data folder. */
  readonly lastBackup: () => Promise<EpochSeconds | null>;
  /** The file of the views; null: they are in none. */
  readonly viewsFile: string | null;
  /** Where the public reaches the site; null: it is not set. */
  readonly siteUrl: string | null;
  readonly version: string;
}

/** Rejects never: what cannot be told is null. */
export async function systemState(sources: SystemSources): Promise<SystemState> {
  const { health, lastBackup, viewsFile, siteUrl, version } = sources;
  const [findings, built, backedUp, certified] = await Promise.all([
    health.examine(),
    viewsFile === null ? null : begunAt(viewsFile),
    lastBackup(),
    siteUrl?.startsWith('https:') ? certifiedUntil(new URL(siteUrl)) : null,
  ]);
  const { views, eventStore, zoneRules } = findings;
  return {
    hasLog: eventStore.status === 'up',
    built,
    backedUp,
    certified,
    lagSeconds: 'lag' in views ? views.lag.seconds : null,
    isFollowing: views.status === 'current' || views.status === 'catching up',
    versions: [
      `Daybook ${version}`,
      `Node ${process.versions.node}`,
      ...(zoneRules ? [`tzdata ${zoneRules.process}`] : []),
    ],
  };
}

const begunAt = (file: string): Promise<EpochSeconds | null> =>
  stat(file).then(
    ({ birthtimeMs }) => Math.floor(birthtimeMs / 1000),
    () => null,
  );

const PATIENCE_MS = 2_000;

/** Whether it is trusted is for browsers to say. */
function certifiedUntil({ hostname, port }: URL): Promise<EpochSeconds | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      servername: hostname,
      port: Number(port || 443),
      rejectUnauthorized: false,
    });
    const answer = (until: EpochSeconds | null): void => {
      socket.destroy();
      resolve(until);
    };
    socket.setTimeout(PATIENCE_MS, () => answer(null));
    socket.on('error', () => answer(null));
    socket.on('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      answer(Number.isNaN(until) ? null : Math.floor(until / 1000));
    });
  });
}
