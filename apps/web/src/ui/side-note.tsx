import type { ReactNode } from 'react';

/** A sentence with an icon, beside a form or a figure. */
export function SideNote({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="side-note">
      {icon}
      <span>{children}</span>
    </p>
  );
}
