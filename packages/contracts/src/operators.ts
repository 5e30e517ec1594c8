/** What an operator may; the later one all that the earlier may. */
export const ROLES = ['moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who did what the log of acts tells. */
export const ACTOR_KINDS = ['wallet', 'key', 'command line', 'agent', 'author', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** What operators can stop for everybody. */
export const SWITCHES = ['launching', 'featuring'] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** What an agent key may be for; `save` asks the archive to fetch a post by itself. */
export const KEY_SCOPES = ['ingest', 'save'] as const;
