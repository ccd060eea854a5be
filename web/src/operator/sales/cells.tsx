import type { ReactNode } from 'react';

/** A cell that says its column's name where the table stands as cards. */
export function Cell({ head, children }: { readonly head: string; readonly children: ReactNode }) {
  return (
    <td data-head={head}>
      <div>{children}</div>
    </td>
  );
}

export function Buyer({ user }: { readonly user: { readonly name: string; readonly email: string } }) {
  return (
    <>
      {user.name}
      <br />
      <span className="soft small">{user.email}</span>
    </>
  );
}
