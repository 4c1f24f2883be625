import { Fragment } from "react";

/** An e-mail address that wraps before its @ sign, and at the dots before that. Browsers would break it anywhere. */
export const Email = ({ address }: { address: string }) =>
  address.split(/(?=@)|(?=\.[^@]*@)/).map((part, n) => (
    <Fragment key={n}>
      {n > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
