import { TestRequest } from '#requests/tests/contract';
import { callApi } from '../../client/call-api.ts';

export const sendTestRequest = () => callApi('/api/test-request', { method: 'POST', answer: TestRequest });
