import { ROLES } from "../../contracts/primitives.ts";
import { includesRole, removalFault, roleChangeFault } from "../../core/roles.ts";

test("a role includes itself and those below it", () => {
  expect(ROLES.map(held => ROLES.map(needed => includesRole(held, needed)))).toEqual([
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, true, true],
  ]);
});

test("a caller cannot give a role above their own", () => {
  expect(roleChangeFault("admin", "viewer", "owner")).toBe("role_too_low");
  expect(roleChangeFault("admin", "viewer", "admin")).toBeNull();
  expect(roleChangeFault("owner", "viewer", "owner")).toBeNull();
});

test("an owner cannot be demoted, not even by another owner", () => {
  for (const actor of ["admin", "owner"] as const) {
    for (const next of ["viewer", "editor", "admin"] as const) {
      expect(roleChangeFault(actor, "owner", next)).toBe("owner_is_fixed");
    }
  }
  expect(roleChangeFault("owner", "owner", "owner")).toBeNull();
});

test("anyone but an owner may leave; removing others takes an admin and never an owner", () => {
  for (const role of ["viewer", "editor", "admin"] as const) expect(removalFault(role, role, true)).toBeNull();
  expect(removalFault("owner", "owner", true)).toBe("owner_is_fixed");
  expect(removalFault("editor", "viewer", false)).toBe("role_too_low");
  expect(removalFault("admin", "admin", false)).toBeNull();
  expect(removalFault("owner", "owner", false)).toBe("owner_is_fixed");
});
