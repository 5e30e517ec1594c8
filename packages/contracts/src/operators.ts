/** Roles of operators. A later role includes the rights of the earlier ones. */
export const ROLES = ['moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who performed an act in the log of acts. */
export const ACTOR_KINDS = ['wallet', 'key', 'command line', 'agent', 'author', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** What operators can switch off for all users. */
export const SWITCHES = ['launching', 'featuring'] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** What an agent key permits; `save` lets its holder ask the archive to fetch a post. */
export const KEY_SCOPES = ['ingest', 'save'] as const;
