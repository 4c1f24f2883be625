import { route } from "./route.ts";

export const NOTIFICATIONS = "/v1/notifications";

export const notificationsRoutes = [
  route("GET", NOTIFICATIONS, "notifications.list", 200, "List your notifications, or only unread ones"),
  route("PATCH", `${NOTIFICATIONS}/read-all`, "notifications.readAll", 200, "Mark all notifications as read"),
  route("PATCH", `${NOTIFICATIONS}/:id/read`, "notifications.read", 200, "Mark a notification as read"),
  route("DELETE", `${NOTIFICATIONS}/:id`, "notifications.remove", 204, "Delete a notification"),
];
