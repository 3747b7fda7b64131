import Fusion
import Testing

struct EstimatorTests {
}
