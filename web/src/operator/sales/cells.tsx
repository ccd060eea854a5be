import type { ReactNode } from 'react';

/** A cell with its column's name, which is shown on phones, where rows become cards. */
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
