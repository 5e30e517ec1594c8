import { existsSync, readFileSync } from 'node:fs';

/** The facts that decide whether and how the engine runs on this machine. */
export interface PlatformFacts {
  platform: string;
  arch: string;
  /** Absent on musl and off Linux. */
  glibc: string | undefined;
  /** `ID` and `VERSION_CODENAME` of /etc/os-release. */
  distribution: string | undefined;
  codename: string | undefined;
  /** Whether apt, dpkg and Debian's archive keys are installed. */
  hasDebianTools: boolean;
}

/** `native`: the engine runs without help; `debian-libraries`: it needs a newer C library beside it. */
export type EngineFooting = 'native' | 'debian-libraries';

/** The engine cannot run on this machine. The message is one sentence that says what to do. */
export class UnusablePlatformError extends Error {
  override name = 'UnusablePlatformError';

  constructor(reason: string) {
    super(
      `The embedded MongoDB engine cannot run here (${reason}): set MONGODB_URI to a MongoDB server, or start one with docker/mongo.compose.yaml.`,
    );
  }
}

const BUILDS = new Set(['linux x64', 'linux arm64', 'darwin arm64']);
const GLIBC_NEEDED = [2, 38] as const;

export const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** How the engine can run with these facts. Throws `UnusablePlatformError` if it cannot. */
export function engineFooting(facts: PlatformFacts): EngineFooting {
  if (!BUILDS.has(`${facts.platform} ${facts.arch}`)) {
    throw new UnusablePlatformError(`there is no build for ${facts.platform} on ${facts.arch}`);
  }
  if (facts.platform !== 'linux') return 'native';
  if (facts.glibc === undefined) throw new UnusablePlatformError('this system has no glibc');
  if (isNewEnough(facts.glibc)) return 'native';
  if (facts.distribution === 'debian' && facts.codename && facts.hasDebianTools) return 'debian-libraries';
  throw new UnusablePlatformError(`it needs glibc ${GLIBC_NEEDED.join('.')}, this system has ${facts.glibc}`);
}

function isNewEnough(glibc: string): boolean {
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  return major > GLIBC_NEEDED[0] || (major === GLIBC_NEEDED[0] && minor >= GLIBC_NEEDED[1]);
}

/** The facts of the present machine. */
export function platformFacts(): PlatformFacts {
  const release = osRelease();
  return {
    platform: process.platform,
    arch: process.arch,
    glibc: glibcVersion(),
    distribution: release.get('ID'),
    codename: release.get('VERSION_CODENAME'),
    hasDebianTools: ['/usr/bin/apt-get', '/usr/bin/dpkg', DEBIAN_KEYRING].every((path) => existsSync(path)),
  };
}

function glibcVersion(): string | undefined {
  const report = process.report as (NodeJS.ProcessReport & { excludeNetwork?: boolean }) | undefined;
  if (!report) return undefined;
  // Otherwise the report resolves the names of all open connections, which can take seconds.
  report.excludeNetwork = true;
  const { header } = report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

function osRelease(): Map<string, string> {
  if (!existsSync('/etc/os-release')) return new Map();
  const lines = readFileSync('/etc/os-release', 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, key, value] = /^([A-Z_]+)="?(.*?)"?$/.exec(line) ?? [];
      return key && value ? [[key, value] as const] : [];
    }),
  );
}
