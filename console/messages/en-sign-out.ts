/** The texts of the confirmation before a sign-out. They are separate, because few people see them. */
export const words = {
  keeping: "Storing your changes before you are signed out …",
  title: "Sign out with unsaved changes?",
  text: (n: number) =>
    n === 1
      ? "Only this browser has your changes of this workflow:"
      : `Only this browser has your changes of these ${n} workflows:`,
  hint: "If you keep the changes, they are here when you sign in with this browser again. Delete them on a computer that others use.",
  keep: "Keep them and sign out",
  forget: "Delete them and sign out",
};
