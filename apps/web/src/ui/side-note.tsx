import type { ReactNode } from 'react';

/** A sentence beside what is asked or shown, behind its icon. */
export function SideNote({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="side-note">
      {icon}
      <span>{children}</span>
    </p>
  );
}
