// One file: on a slow network every file costs.
export { RolePage } from './RolePage.tsx';
export { RolesPage } from './RolesPage.tsx';
