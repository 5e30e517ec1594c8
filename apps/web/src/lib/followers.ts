/** For a value that lives beside React: how `useSyncExternalStore` subscribes to it, and how a change is announced. */
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
