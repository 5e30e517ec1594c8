/**
 * A subscription for a value outside React: `subscribe` for `useSyncExternalStore`, and a function that announces a
 * change.
 */
export function followers(): [subscribe: (follower: () => void) => () => void, announce: () => void] {
  const all = new Set<() => void>();
  return [
    (follower) => {
      all.add(follower);
      return () => all.delete(follower);
    },
    () => {
      for (const follower of all) follower();
    },
  ];
}
