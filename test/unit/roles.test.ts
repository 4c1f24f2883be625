import { ROLES } from "../../contracts/primitives.ts";
import { includesRole, removalFault, roleChangeFault } from "../../core/roles.ts";

test("includes lower roles in each role", () => {
  expect(ROLES.map(held => ROLES.map(needed => includesRole(held, needed)))).toEqual([
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, true, true],
  ]);
});

test("does not let a caller give a role above their own", () => {
  expect(roleChangeFault("admin", "viewer", "owner")).toBe("role_too_low");
  expect(roleChangeFault("admin", "viewer", "admin")).toBeNull();
  expect(roleChangeFault("owner", "viewer", "owner")).toBeNull();
});

test("does not let an owner be demoted, even by another owner", () => {
  for (const actor of ["admin", "owner"] as const) {
    for (const next of ["viewer", "editor", "admin"] as const) {
      expect(roleChangeFault(actor, "owner", next)).toBe("owner_is_fixed");
    }
  }
  expect(roleChangeFault("owner", "owner", "owner")).toBeNull();
});

test("lets everyone but an owner leave, and lets only admins remove others, except owners", () => {
  for (const role of ["viewer", "editor", "admin"] as const) expect(removalFault(role, role, true)).toBeNull();
  expect(removalFault("owner", "owner", true)).toBe("owner_is_fixed");
  expect(removalFault("editor", "viewer", false)).toBe("role_too_low");
  expect(removalFault("admin", "admin", false)).toBeNull();
  expect(removalFault("owner", "owner", false)).toBe("owner_is_fixed");
});
