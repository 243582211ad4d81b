import { TestRequest } from '#protocol/contract/console/test-request';
import { callApi } from './call-api.ts';

export const sendTestRequest = () => callApi('/api/test-request', { method: 'POST', answer: TestRequest });
