import type { Value } from '../index-file.ts';

export interface Row {
  oid: Uint8Array;
  key: Value;
}

export interface Ties<R extends Row> {
  isAlone(key: Value): boolean;
  /** Number of rows of the row's group that the walk passed before it. */
  before(row: R): number;
  /** Part of a group, in ascending order of oid. */
  slice(key: Value, skip: number, take: number): Uint8Array[];
}

/**
 * Orders posts of equal key by ascending `_id`. A group completely within the page is sorted in memory. The first and
 * the last group may extend to another page, so they are queried.
 */
export function orderTies<R extends Row>(rows: R[], ties: Ties<R>): Uint8Array[] {
  const groups: { key: Value; rows: R[] }[] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group && group.key === row.key) group.rows.push(row);
    else groups.push({ key: row.key, rows: [row] });
  }
  return groups.flatMap((group, index) => {
    const isEdge = index === 0 || index === groups.length - 1;
    if (!isEdge) return group.rows.map((row) => row.oid).sort(compareBytes);
    if (ties.isAlone(group.key)) return group.rows.map((row) => row.oid);
    const skip = index === 0 ? ties.before(group.rows[0] as R) : 0;
    return ties.slice(group.key, skip, group.rows.length);
  });
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}
