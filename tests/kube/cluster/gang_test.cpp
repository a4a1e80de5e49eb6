// Starts in a cluster that may have PodGroups.
#include <gmock/gmock.h>

#include <algorithm>

#include "kube/json/json_fields.h"
#include "kube/support/cluster_fixture.h"

namespace slaq::kube::cluster {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kGroups = "/apis/scheduling.k8s.io/v1beta1/namespaces/team-a/podgroups";
const std::string kGroup = std::string(kGroups) + "/logreg";
const std::string kPostGroup = std::string("POST ") + kGroups;

class GangTest : public ClusterTest {
 protected:
  GangTest() { haveJob(); }

  void refuseGroups(int status) {
    server.before = [status](const http::HttpRequest& request) {
      return request.path.starts_with(kGroups)
                 ? std::optional<Result<http::HttpResponse>>(refusal(status, "Refused", "no"))
                 : std::nullopt;
    };
  }

  bool hasMembers() const {
    return json::at(parse(server.at(kWorkersPath)), {"spec", "template", "spec", "schedulingGroup"}) !=
           nullptr;
  }

  void stopAndStart() {
    ASSERT_TRUE(gangs.apply(SuspendJob{kKey}));
    relist();
    ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  }

  KubeCluster gangs{api, store, events, clock, {.podGroups = true, .whyInconsistent = [] {
                                                  return std::optional<std::string>();
                                                }}};
};

TEST_F(GangTest, TheGroupIsMadeBeforeItsPods) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  const auto writes = server.takeWrites();
  ASSERT_EQ(writes.size(), 4u);
  EXPECT_EQ(writes[1], kPostGroup);
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":3"));
  EXPECT_TRUE(hasMembers());
  ASSERT_TRUE(gangs.apply(ScaleWorkers{kKey, Workers(3), Workers(5)}));
  EXPECT_THAT(server.takeWrites(), Not(Contains(HasSubstr("podgroups"))))
      << "a growth is no part of the gang";
}

TEST_F(GangTest, AClusterWithoutPodGroupsIsAskedOnce) {
  refuseGroups(404);
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  EXPECT_THAT(server.takeWrites(), Contains(kPostGroup));
  EXPECT_FALSE(hasMembers());
  for (const char* path : {kDriverPath, kWorkersPath}) server.erase(path);
  relist();
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  EXPECT_THAT(server.takeWrites(), Not(Contains(kPostGroup)));
}

TEST_F(GangTest, WithoutTheRightJobsStartAsBefore) {
  refuseGroups(403);
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  EXPECT_FALSE(hasMembers());
}

TEST_F(GangTest, ALaterStartHasTheMinimumOfThen) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  stopAndStart();
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":3"));
  editElsewhere(kJobPath, "{'spec': {'workers': {'minReplicas': 1}}}");
  relist();
  stopAndStart();
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":2"));
}

// The scheduler holds back each new pod of a group that has fewer pods than its least number.
TEST_F(GangTest, OnceTheMinimumIsReadyEachPodIsBoundAlone) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  relist();
  JobStatus status;
  status.state = JobState::Running;
  status.ready = Workers(1);
  ASSERT_TRUE(gangs.writeStatus(kKey, kUid, status));
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":3"));
  status.ready = Workers(2);
  ASSERT_TRUE(gangs.writeStatus(kKey, kUid, status));
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":1"));
  server.takeRequests();
  status.ready = Workers(3);
  ASSERT_TRUE(gangs.writeStatus(kKey, kUid, status));
  ASSERT_TRUE(gangs.apply(ScaleWorkers{kKey, Workers(3), Workers(2)}));
  EXPECT_THAT(server.takeRequests(), Not(Contains(HasSubstr("podgroups"))));
  stopAndStart();
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":3"));
}

// The Job makes no pods for indexes that are complete.
TEST_F(GangTest, WorkersThatEndedByThemselvesAreNotWaitedFor) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  editElsewhere(kWorkersPath, "{'status': {'succeeded': 2}}");
  relist();
  stopAndStart();
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":2"));
}

TEST_F(GangTest, AStartOfWorkersThatRunChangesNoGroup) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  relist();
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  EXPECT_THAT(server.takeWrites(), Not(Contains(kPostGroup)));
}

// The members would wait for a group that slaq may not make.
TEST_F(GangTest, WithoutTheRightMembersAreNotStarted) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  ASSERT_TRUE(gangs.apply(SuspendJob{kKey}));
  relist();
  refuseGroups(403);
  EXPECT_EQ(gangs.apply(StartJob{kKey, Workers(3)}).error().kind, ErrorKind::Forbidden);
}

TEST_F(GangTest, AGroupThatMayNotBeChangedIsAskedForOnce) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  relist();
  refuseGroups(403);
  JobStatus status;
  for (const int ready : {2, 3}) {
    status.ready = Workers(ready);
    ASSERT_TRUE(gangs.writeStatus(kKey, kUid, status));
  }
  const auto requests = server.takeRequests();
  EXPECT_EQ(std::ranges::count(requests, "GET " + kGroup), 1);
}

TEST_F(GangTest, AControllerThatWasRestartedReadsTheGroupFirst) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  relist();
  KubeCluster restarted(api, store, events, clock,
                        {.podGroups = true, .whyInconsistent = [] { return std::optional<std::string>(); }});
  JobStatus status;
  status.ready = Workers(2);
  ASSERT_TRUE(restarted.writeStatus(kKey, kUid, status));
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":1"));
}

// It goes once its last pod is gone, and new pods would wait for it.
TEST_F(GangTest, AGroupThatIsBeingDeletedIsWaitedFor) {
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  editElsewhere(kGroup.c_str(), "{'metadata': {'deletionTimestamp': '2026-01-01T00:00:00Z'}}");
  relist();
  ASSERT_TRUE(gangs.apply(SuspendJob{kKey}));
  EXPECT_EQ(gangs.apply(StartJob{kKey, Workers(3)}).error().kind, ErrorKind::Conflict);
}

TEST_F(GangTest, ChildrenThatWereMadeWithoutAGroupStayWithoutOne) {
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(3)}));
  relist();
  server.takeRequests();
  stopAndStart();
  EXPECT_THAT(server.takeWrites(), Not(Contains(kPostGroup)));
}

// Its pod would never come, and the workers would wait for it.
TEST_F(GangTest, ADriverThatWasMadeWithoutAGroupIsNotCounted) {
  server.put(kDriverPath, objects::driverBody(trainingJob()));
  relist();
  ASSERT_TRUE(gangs.apply(StartJob{kKey, Workers(3)}));
  EXPECT_THAT(server.at(kGroup), HasSubstr("\"minCount\":2"));
}

TEST_F(GangTest, AGroupOfAnotherOwnerIsNotTaken) {
  server.put(kGroup, quoted("{'metadata':{'name':'logreg','namespace':'team-a'},'spec':{}}"));
  const auto started = gangs.apply(StartJob{kKey, Workers(3)});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().kind, ErrorKind::Invalid);
  EXPECT_THAT(started.error().message, HasSubstr("podgroups team-a/logreg exists already"));
}

}  // namespace
}  // namespace slaq::kube::cluster
